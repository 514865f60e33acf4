/** `must`: the request was confirmed. `may`: unknown, because the client gave up before an answer came. */
export type Certainty = 'must' | 'may';
