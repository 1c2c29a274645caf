import { isConsolePath } from '@emma/contract/console-path.ts'

const key = 'initial-path'

/** Paths that are no place to return to after a login. */
const passing = ['/login', '/password-reset']

/** Keeps the address the console was opened with, so that a login leads back to it (R012). */
export function storeInitialPath(address: string, storage: Storage = localStorage): void {
  if (!passing.some(path => address.startsWith(path))) storage.setItem(key, address)
}

/** The kept address, once; `/dashboard` without one. Only addresses of this console are followed. */
export function takeInitialPath(storage: Storage = localStorage): string {
  const address = storage.getItem(key)
  storage.removeItem(key)
  return address && isConsolePath(address) && address !== '/' ? address : '/dashboard'
}
