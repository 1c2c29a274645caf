/**
 * The router's form of a path of the specification: `{id}` → `:id`, a literal colon (`report:view`) doubled, and the
 * prefix of the API.
 */
export function fastifyPath(path: string): string {
  return `/api${path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1')}`
}
