// Programs the tests need beside node_modules: found, or installed where that goes without asking anybody.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const CHROMIUM_PLACES = [
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of a Chromium or Chrome; undefined when there is none and none can be installed. */
export function findChromium() {
  const given = process.env.EMMA_CHROMIUM
  if (given) return existsSync(given) ? given : undefined
  return lookForChromium() ?? (installPackage('chromium') ? lookForChromium() : undefined)
}

function lookForChromium() {
  const onPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(findOnPath)
  return [...onPath, ...CHROMIUM_PLACES].find(path => path && existsSync(path))
}

/** The folder of PostgreSQL 15's programs; undefined when there is none and none can be installed. */
export function findPostgres15() {
  const folder = process.env.EMMA_PG15 ?? '/usr/lib/postgresql/15/bin'
  if (existsSync(join(folder, 'initdb'))) return folder
  if (process.env.EMMA_PG15) return undefined
  const debian = '/etc/postgresql-common'
  if (process.getuid?.() === 0 && existsSync('/etc/debian_version') && !existsSync(debian)) {
    // The tests start a server of their own: Debian's need not make and start one.
    mkdirSync(debian, { recursive: true })
    writeFileSync(join(debian, 'createcluster.conf'), 'create_main_cluster = false\n')
  }
  return installPackage('postgresql-15') && existsSync(join(folder, 'initdb')) ? folder : undefined
}

/** True when Debian's package could be installed: as root, or by a sudo that does not ask for a password. */
function installPackage(name) {
  if (!findOnPath('apt-get')) return false
  const root = process.getuid?.() === 0
  if (!root && spawnSync('sudo', ['-n', 'true']).status !== 0) return false
  const apt = (...args) => {
    const [command, ...rest] = [...(root ? [] : ['sudo', '-n']), 'apt-get', ...args]
    return (
      spawnSync(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0
    )
  }
  console.log(`Installing ${name}.`)
  const install = () => apt('install', '--yes', '--no-install-recommends', name)
  return install() || (apt('update') && install())
}

function findOnPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, name))
    .find(path => existsSync(path))
}
