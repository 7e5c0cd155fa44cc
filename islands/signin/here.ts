import { load } from "../runtime/storage";

/**
 * Gives a page that answers a post the address that shows it again; otherwise Back or a reload would show the browser's error or its
 * question whether to post again. Exception: data-kept-by names the tab storage in which an island should have saved the answers.
 * If that is empty, because the form was sent before the script ran, only the post has the answers, and the address stays.
 */
export function comesBack({ dataset }: HTMLElement): void {
  if (dataset.keptBy && load(dataset.keptBy) === "") return;
  history.replaceState(history.state, "", dataset.here);
}
