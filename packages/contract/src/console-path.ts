/**
 * Whether a text is a path of the console. Browsers read `//host`, `/\host` and the same with a tab or line break in
 * between as the address of another host (WHATWG URL, 4.4), which the parser tells.
 */
export function isConsolePath(path: string): boolean {
  return path.startsWith('/') && URL.parse(path, ORIGIN)?.origin === ORIGIN
}

const ORIGIN = 'https://console.invalid'
