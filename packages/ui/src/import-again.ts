/**
 * Imports a module again from another URL. Some browsers (Chromium before 156) cache a failed module fetch until the
 * page is reloaded. The build routes failed dynamic imports here (vite-import-again.ts).
 *
 * @throws the `error` of the import if it is not a fetch error
 */
function importAgain(url: string, error: unknown): Promise<unknown> {
  if (!(error instanceof TypeError)) return Promise.reject(error)
  attempts++
  return import(/* @vite-ignore */ `${url}?again=${attempts}`)
}

let attempts = 0

declare global {
  /** Undefined until the first lazy component is loaded. */
  var importAgain: ((url: string, error: unknown) => Promise<unknown>) | undefined
}

globalThis.importAgain = importAgain
