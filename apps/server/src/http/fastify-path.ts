/**
 * Converts a path of the specification for the router: `{id}` → `:id`, a literal colon (`report:view`) doubled, with
 * the prefix of the API.
 */
export function fastifyPath(path: string): string {
  return `/api${path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1')}`
}
