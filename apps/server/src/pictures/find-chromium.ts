import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

const PLACES = [
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Path of the program that draws pictures of mails; null if there is none.
 * @param given EMMA_CHROMIUM: a path, or `none`
 */
export function findChromium(given: string | undefined, path = process.env.PATH ?? ''): string | null {
  if (given !== undefined) return existsSync(given) ? given : null
  const folders = path.split(delimiter).filter(Boolean)
  const candidates = [...NAMES.flatMap(name => folders.map(folder => join(folder, name))), ...PLACES]
  return candidates.find(candidate => existsSync(candidate)) ?? null
}
