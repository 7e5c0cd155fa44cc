/**
 * Gives a page that is the answer to a post the address where it can be had again: who comes back to it or reloads it would
 * else meet the browser's error, or its question whether to post once more.
 */
export function comesBack({ dataset }: HTMLElement): void {
  history.replaceState(history.state, "", dataset.here);
}
