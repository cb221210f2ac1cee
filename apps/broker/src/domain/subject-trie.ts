/** What a subscription must tell to be found. */
export interface Subscriber {
  readonly subject: string;
  readonly queue: string | undefined;
}

interface Node<S> {
  readonly children: Map<string, Node<S>>;
  readonly subscribers: Set<S>;
}

/** Who hears a message: every plain subscriber, and one of each queue group. */
export interface Matches<S> {
  readonly plain: S[];
  readonly queues: Map<string, S[]>;
}

/** Subscriptions by subject. Finding costs the depth of the subject, not the number of subscriptions. */
export class SubjectTrie<S extends Subscriber> {
  readonly #root: Node<S> = emptyNode();

  add(subscriber: S): void {
    let node = this.#root;
    for (const token of subscriber.subject.split('.')) node = childOf(node, token);
    node.subscribers.add(subscriber);
  }

  /** @returns whether it was there */
  remove(subscriber: S): boolean {
    const path: { node: Node<S>; token: string }[] = [];
    let node = this.#root;
    for (const token of subscriber.subject.split('.')) {
      const child = node.children.get(token);
      if (child === undefined) return false;
      path.push({ node, token });
      node = child;
    }
    if (!node.subscribers.delete(subscriber)) return false;
    prune(path, node);
    return true;
  }

  /** @param subject without wildcards */
  match(subject: string): Matches<S> {
    const found: Matches<S> = { plain: [], queues: new Map() };
    collect(this.#root, subject.split('.'), 0, found);
    return found;
  }
}

function emptyNode<S>(): Node<S> {
  return { children: new Map(), subscribers: new Set() };
}

function childOf<S>(node: Node<S>, token: string): Node<S> {
  let child = node.children.get(token);
  if (child === undefined) {
    child = emptyNode<S>();
    node.children.set(token, child);
  }
  return child;
}

/** Removes nodes that lead nowhere any more: reply subjects are many and short-lived. */
function prune<S>(path: { node: Node<S>; token: string }[], leaf: Node<S>): void {
  let child = leaf;
  for (const { node, token } of path.reverse()) {
    if (child.children.size > 0 || child.subscribers.size > 0) return;
    node.children.delete(token);
    child = node;
  }
}

function collect<S extends Subscriber>(node: Node<S>, tokens: string[], at: number, found: Matches<S>): void {
  const token = tokens[at];
  if (token === undefined) {
    take(node, found);
    return;
  }
  const exact = node.children.get(token);
  if (exact !== undefined) collect(exact, tokens, at + 1, found);
  const any = node.children.get('*');
  if (any !== undefined) collect(any, tokens, at + 1, found);
  const rest = node.children.get('>');
  if (rest !== undefined) take(rest, found);
}

function take<S extends Subscriber>(node: Node<S>, found: Matches<S>): void {
  for (const subscriber of node.subscribers) {
    if (subscriber.queue === undefined) {
      found.plain.push(subscriber);
      continue;
    }
    const group = found.queues.get(subscriber.queue);
    if (group === undefined) found.queues.set(subscriber.queue, [subscriber]);
    else group.push(subscriber);
  }
}
