export type PathParams = Record<string, string | number | null | undefined>

/**
 * Replaces the `{placeholders}` of a path by encoded values.
 * @throws Error `Not enough arguments provided for endpoint {path}` if one is missing (R169)
 */
export function fillEndpoint(path: string, params: PathParams): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '') {
      throw new Error(`Not enough arguments provided for endpoint ${path}`)
    }
    return encodeURIComponent(String(value))
  })
}
