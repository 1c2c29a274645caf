/**
 * Fetches a module again under another address. Some browsers (Chromium before 156) remember for as long as the page
 * lives that a module could not be fetched: asked for it again, they ask nobody. The build has each dynamic import end
 * here when it fails (vite-import-again.ts).
 *
 * @throws the `error` of the import, where it is not about fetching
 */
function importAgain(url: string, error: unknown): Promise<unknown> {
  if (!(error instanceof TypeError)) return Promise.reject(error)
  attempts++
  return import(/* @vite-ignore */ `${url}?again=${attempts}`)
}

let attempts = 0

declare global {
  /** Missing until a part of a screen is fetched for the first time. */
  var importAgain: ((url: string, error: unknown) => Promise<unknown>) | undefined
}

globalThis.importAgain = importAgain
