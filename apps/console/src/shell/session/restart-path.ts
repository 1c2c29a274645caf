import { isConsolePath } from '@emma/contract/console-path.ts'

/**
 * Where the console goes after a restart (R016): a path with `/edit/{number}` or `/test/{number}` leads to the
 * list it belongs to, since the record may be another client's now; `/dashboard` when there is none. Other
 * paths stay.
 *
 * @param isRoute whether an address leads to a screen
 */
export function restartPath(path: string, isRoute: (path: string) => boolean): string {
  const parent = /^(.*?)\/(?:edit|test)\/\d+(?:\/|$)/.exec(path)?.[1]
  if (parent === undefined) return isConsolePath(path) ? path : '/dashboard'
  return [parent, `${parent}/archive`].find(isRoute) ?? '/dashboard'
}
