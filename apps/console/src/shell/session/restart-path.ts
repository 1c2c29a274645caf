import { isConsolePath } from '@emma/contract/console-path.ts'

/**
 * Path after a restart (R016). A path with `/edit/{number}` or `/test/{number}` leads to its list, since the record may
 * belong to another client; `/dashboard` if there is none. Other paths stay.
 *
 * @param isRoute whether a path has a screen
 */
export function restartPath(path: string, isRoute: (path: string) => boolean): string {
  const parent = /^(.*?)\/(?:edit|test)\/\d+(?:\/|$)/.exec(path)?.[1]
  if (parent === undefined) return isConsolePath(path) ? path : '/dashboard'
  return [parent, `${parent}/archive`].find(isRoute) ?? '/dashboard'
}
