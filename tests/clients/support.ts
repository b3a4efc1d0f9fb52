// Code shared by the programs that use the generated clients.

declare const process: { env: Record<string, string | undefined> };

const POLL_INTERVAL_MS = 100;

/** Returns the value of an environment variable, which must be set. */
function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

/** Returns the server, the credentials and the call that the test prepared. */
export function settings() {
  return {
    baseUrl: variable("BASE_URL"),
    apiKey: variable("API_KEY"),
    token: variable("SPEECH_TOKEN"),
    callId: Number(variable("CALL_ID")),
  };
}

export function expectEqual(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`expected ${wanted}, found ${found}`);
}

/** Calls `read` until it returns a value. The test fails if that takes too long. */
export async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
}
