// Start of the script that loads the chunks of the panel. The modules of the first chunk come in one file, its pack, which
// compresses better than each module alone. The build replaces the placeholders in braces and appends wasm-split's script;
// see xtask/src/panel.rs.

// Name, start and end of each module in the pack of a chunk.
const packs = {{packs}};

// Responses for the modules of the first chunk.
const packedModules = new Map();
let hasPack = false;

// Fetches the pack of a chunk if it is the first chunk.
function openPack(chunk) {
  if (hasPack || !packs[chunk]) return;
  hasPack = true;
  const pack = fetch(new URL(`./pack_${chunk}.bin`, import.meta.url)).then((response) => {
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.arrayBuffer();
  });
  for (const [file, start, end] of packs[chunk]) {
    const headers = { "content-type": "application/wasm" };
    packedModules.set(file, pack.then((buffer) => new Response(buffer.slice(start, end), { headers })));
  }
  // The next attempt fetches each module.
  pack.catch(() => packedModules.clear());
}

function fetchModule(file) {
  const response = packedModules.get(file);
  packedModules.delete(file);
  return response ?? fetch(new URL(`./${file}`, import.meta.url));
}

