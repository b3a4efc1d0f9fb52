// The element <api-reference> shows the OpenAPI document with Swagger UI. The panel imports this module when its page is
// opened. The build replaces the placeholders in braces; see xtask/src/panel.rs.

const NAME = "api-reference";
const FOLDER = "/assets/{{swagger_ui}}";
const DOCUMENT_URL = "/api/openapi.json";
const OPERATIONS = "operations";

/** Loads Swagger UI and defines the element. May be called again, after a failure and for each visit of the page. */
export async function load() {
  if (customElements.get(NAME)) return;
  // The panel's style sheet comes after Swagger UI's and overrides it.
  await Promise.all([
    loadFile("link", { rel: "stylesheet", href: `${FOLDER}/swagger-ui.css` }),
    loadFile("script", { src: `${FOLDER}/swagger-ui-bundle.js` }),
  ]);
  customElements.define(NAME, ApiReference);
}

function loadFile(tag, attributes) {
  const element = Object.assign(document.createElement(tag), attributes);
  return new Promise((resolve, reject) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", reject);
    document.head.prepend(element);
  });
}

/** Adds the credentials. Requests of a session that change something need its CSRF token. */
async function addCredentials(request, secrets) {
  if (request.loadSpec) return request;
  if (secrets.speechToken) request.headers["X-Speech-Token"] = secrets.speechToken;
  if (secrets.apiKey) {
    request.headers.Authorization = `Bearer ${secrets.apiKey}`;
    request.credentials = "omit";
  } else if (request.method !== "GET") {
    const session = await fetch("/api/session");
    if (session.ok) request.headers["X-CSRF-Token"] = (await session.json()).csrf_token;
  }
  return request;
}

/** Returns the request for a shell, with variables instead of the secrets. */
function curlCommand(command, secrets) {
  const token = secrets.speechToken ? ' \\\n  -H "X-Speech-Token: $LEADSCRIBE_SPEECH_TOKEN"' : "";
  return `${command} \\\n  -H "Authorization: Bearer $LEADSCRIBE_API_KEY"${token}`;
}

/** Swagger UI's plugin: the layout of the page, and labels for inputs that have none. */
function plugin(secrets, onOpen) {
  let open;
  return ({ React: { createElement: h }, fn }) => {
    const none = () => () => null;
    const labelled = (label) => (Input) => (props) =>
      h("label", null, h("span", { className: "visually-hidden" }, label(props)), h(Input, props));
    const secretInput = (name, label) =>
      h(
        "label",
        null,
        label,
        h("input", {
          type: "password",
          className: "input",
          autoComplete: "off",
          "data-test": `secret-${name}`,
          onInput: (event) => (secrets[name] = event.target.value.trim()),
        }),
      );
    const Layout = ({ getComponent, specSelectors }) =>
      h(
        "div",
        { className: "swagger-ui" },
        h(getComponent("Markdown", true), { source: specSelectors.info().get("description") }),
        h(
          "div",
          { className: "row api-credentials" },
          secretInput("apiKey", "API key"),
          secretInput("speechToken", "Speech token"),
          h("p", null, "Without an API key, requests use your session. Keys are kept in memory until you leave the page."),
        ),
        h(getComponent("FilterContainer", true)),
        h("h2", { className: "visually-hidden" }, "Operations"),
        h(getComponent(OPERATIONS, true)),
      );
    return {
      components: { ApiReferenceLayout: Layout },
      wrapComponents: {
        authorizeOperationBtn: none,
        TextArea: labelled(() => "Request body"),
        JsonSchema_string: labelled(({ description }) => description),
      },
      statePlugins: {
        // The event stream never ends, and Swagger UI shows only whole responses.
        spec: { wrapSelectors: { allowTryItOutFor: () => (_, path) => path !== "/api/events" } },
        layout: {
          wrapActions: {
            // Closes the open operation, because the response tables of both would be landmarks with the same name.
            show: (show, { layoutActions }) => (key, isShown) => {
              const isOperation = key.length === 3 && key[0] === OPERATIONS;
              if (isOperation && isShown && open && open !== key) layoutActions.show(open, false);
              if (isOperation) open = isShown ? key : undefined;
              if (isOperation && isShown) onOpen(key[2]);
              return show(key, isShown);
            },
          },
        },
      },
      fn: { requestSnippetGenerator_curl: (request) => curlCommand(fn.requestSnippetGenerator_curl_bash(request), secrets) },
    };
  };
}

class ApiReference extends HTMLElement {
  static observedAttributes = ["operation"];

  connectedCallback() {
    if (this.ui) return;
    const secrets = { apiKey: "", speechToken: "" };
    this.ui = SwaggerUIBundle({
      domNode: this,
      url: DOCUMENT_URL,
      layout: "ApiReferenceLayout",
      plugins: [plugin(secrets, (id) => this.reportOperation(id))],
      requestInterceptor: (request) => addCredentials(request, secrets),
      showMutatedRequest: false,
      requestSnippetsEnabled: true,
      requestSnippets: { generators: { curl: { title: "curl", syntax: "bash" } }, languages: ["curl"] },
      syntaxHighlight: { activated: false },
      displayRequestDuration: true,
      docExpansion: "list",
      filter: true,
      validatorUrl: null,
      onComplete: () => this.showOperation(),
    });
  }

  attributeChangedCallback() {
    this.showOperation();
  }

  /** Opens the operation of the attribute and scrolls to it. */
  showOperation() {
    const id = this.getAttribute("operation");
    if (!id || id === this.openId) return;
    const element = this.querySelector(`.opblock[id$="-${CSS.escape(id)}"]`);
    if (!element) return;
    const { tag } = element.closest(".opblock-tag-section").querySelector("[data-tag]").dataset;
    this.ui.layoutActions.show([OPERATIONS, tag, id], true);
    element.scrollIntoView();
  }

  /** Tells the panel which operation is open, for the address bar. */
  reportOperation(id) {
    this.openId = id;
    this.dispatchEvent(new CustomEvent("operation", { detail: id }));
  }
}
