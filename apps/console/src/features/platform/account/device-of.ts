// The order matters: Edge and Opera contain "Chrome", Chrome contains "Safari".
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

/** "Firefox, Windows" from a user agent, as far as recognized; else its first 40 characters; null without one. */
export function deviceOf(userAgent: string | null): string | null {
  if (!userAgent) return null
  const found = [browsers, systems].flatMap(kinds => kinds.find(([sign]) => sign.test(userAgent))?.[1] ?? [])
  return found.length > 0 ? found.join(', ') : userAgent.slice(0, 40)
}
