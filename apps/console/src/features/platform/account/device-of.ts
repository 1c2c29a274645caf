// The order decides: Edge and Opera call themselves Chrome as well, Chrome calls itself Safari.
const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const

const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** "Firefox, Windows" of a user agent, as far as it says so; its beginning for programs; null for nothing. */
export function deviceOf(userAgent: string | null): string | null {
  if (!userAgent) return null
  const found = [browsers, systems].flatMap(kinds => kinds.find(([sign]) => sign.test(userAgent))?.[1] ?? [])
  return found.length > 0 ? found.join(', ') : userAgent.slice(0, 40)
}
