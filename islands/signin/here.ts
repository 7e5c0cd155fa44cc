import { load } from "../runtime/storage";

/**
 * Gives a page that is the answer to a post the address where it can be had again: who comes back to it or reloads it would
 * else meet the browser's error, or its question whether to post once more. Where an island should have kept the answers in
 * this tab, under the name in data-kept-by, and has not, since they were sent before its script ran, only the post has them:
 * the page stays.
 */
export function comesBack({ dataset }: HTMLElement): void {
  if (dataset.keptBy && load(dataset.keptBy) === "") return;
  history.replaceState(history.state, "", dataset.here);
}
