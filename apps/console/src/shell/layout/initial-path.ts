import { isConsolePath } from '@emma/contract/console-path.ts'

const key = 'initial-path'

/** Paths that lead on to another one. */
const passing = ['/login', '/password-reset', '/accept-agb', '/accept-bav']

/** Stores the path that the console was opened with: the login, or the confirmation of a document, returns to it (R012). */
export function storeInitialPath(address: string, storage: Storage = localStorage): void {
  if (!passing.some(path => address.startsWith(path))) storage.setItem(key, address)
}

/** Takes the stored path; `/dashboard` if there is none or it is not a path of this console. */
export function takeInitialPath(storage: Storage = localStorage): string {
  const address = storage.getItem(key)
  storage.removeItem(key)
  return address && isConsolePath(address) && address !== '/' ? address : '/dashboard'
}
