/**
 * Whether a text is a path of the console. Browsers read `//host`, `/\host` and the same with a tab or line break in
 * between as the URL of another host (WHATWG URL, 4.4), which the URL parser detects.
 */
export function isConsolePath(path: string): boolean {
  return path.startsWith('/') && URL.parse(path, ORIGIN)?.origin === ORIGIN
}

const ORIGIN = 'https://console.invalid'
