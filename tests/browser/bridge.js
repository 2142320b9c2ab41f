// The page's half of bridge.py: models whose changes and messages go to Python's functions.

const models = new Map();
class Model {
  constructor(id, state) {
    Object.assign(this, { id, state, listeners: new Map(), unsaved: {} });
    models.set(id, this);
  }
  get(name) { return this.state[name]; }
  set(name, value) {
    if (JSON.stringify(this.state[name]) === JSON.stringify(value)) return;
    this.unsaved[name] = this.state[name] = value;
    this.tell(`change:${name}`);
  }
  save_changes() { toPython(this.id, 'set', this.unsaved); this.unsaved = {}; }
  send(content) { toPython(this.id, 'send', content); }
  heard(event) { return this.listeners.get(event) ?? []; }
  on(events, f) { for (const e of events.split(' ')) this.listeners.set(e, [...this.heard(e), f]); }
  off(events, f) {
    for (const e of events.split(' ')) this.listeners.set(e, this.heard(e).filter(g => g !== f));
  }
  tell(event, ...values) { for (const f of this.heard(event)) f(...values); }
}
const module_ = code => import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
async function show(id, el) {
  const { code, css, state } = await describe(id);
  el.append(Object.assign(document.createElement('style'), { textContent: css }));
  const { default: parts } = await module_(code);
  const model = models.get(id) ?? new Model(id, state);
  const { signal } = new AbortController();
  const shown = reference => ({ el }) => show(reference.replace('anywidget:', ''), el);
  const host = { getWidget: async reference => ({ render: shown(reference) }) };
  await parts.initialize?.({ model });
  await parts.render({ model, el, host, signal });
}
async function listen() {
  for (const [id, changed, messages] of await news()) {
    const model = models.get(id);
    if (!model) continue;
    Object.assign(model.state, changed);
    for (const name of Object.keys(changed)) model.tell(`change:${name}`);
    for (const content of messages) model.tell('msg:custom', content);
  }
  setTimeout(listen, 30);
}
listen();
