// Programs that tests need besides node_modules: found, or installed if that needs no confirmation.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

const CHROMIUM_PLACES = [
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Headless Chromium: opening a page takes less than half the CPU time. */
const HEADLESS = 'chromium-headless-shell'
const CHROMIUM_NAMES = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Returns the path of Chromium or Chrome; undefined if there is none and none can be installed. */
export function findChromium() {
  if (process.env.EMMA_CHROMIUM) return lookForChromium()
  if (!findOnPath(HEADLESS)) installPackage(HEADLESS, { renewing: false })
  return lookForChromium() ?? (installPackage('chromium') ? lookForChromium() : undefined)
}

/** Like `findChromium`, without installing. */
export function lookForChromium() {
  const given = process.env.EMMA_CHROMIUM
  if (given) return existsSync(given) ? given : undefined
  return [...CHROMIUM_NAMES.map(findOnPath), ...CHROMIUM_PLACES].find(path => path && existsSync(path))
}

/** Returns the folder of PostgreSQL 15's programs; undefined if there is none and none can be installed. */
export function findPostgres15() {
  const folder = process.env.EMMA_PG15 ?? '/usr/lib/postgresql/15/bin'
  if (existsSync(join(folder, 'initdb'))) return folder
  if (process.env.EMMA_PG15) return undefined
  const debian = '/etc/postgresql-common'
  if (process.getuid?.() === 0 && existsSync(DEBIAN) && !existsSync(debian)) {
    // The tests start their own server: Debian's must not be created and started.
    mkdirSync(debian, { recursive: true })
    writeFileSync(join(debian, 'createcluster.conf'), 'create_main_cluster = false\n')
  }
  return installPackage('postgresql-15') && existsSync(join(folder, 'initdb')) ? folder : undefined
}

/** Debian packages of mail programs for tests, each with its program. */
const MAIL_PACKAGES = {
  postfix: '/usr/sbin/postfix',
  'exim4-daemon-light': '/usr/sbin/exim4',
  opensmtpd: '/usr/sbin/smtpd',
  'dovecot-imapd': '/usr/sbin/dovecot',
  opendkim: '/usr/sbin/opendkim',
  spamassassin: '/usr/bin/spamassassin',
}

/**
 * Ensures that Debian's mail programs are installed, or unpacked in a folder from which they run: the packages
 * conflict with each other.
 * @returns the folder for EMMA_DEBIAN, and the reason for each missing program
 */
export function findMailPrograms() {
  const folder = unpackedFolder()
  const missing = []
  for (const [name, program] of Object.entries(MAIL_PACKAGES)) {
    if (existsSync(program)) continue
    const unpacked = join(folder, name)
    if (!existsSync(unpacked) && !unpackPackage(name, folder))
      missing.push(`${name} is not here and cannot be fetched`)
    else if (!runsUnpacked(unpacked)) missing.push(`${name} cannot run here without being installed`)
  }
  if (process.getuid?.() !== 0) missing.push('mail servers start as root only')
  return { folder, missing }
}

/** True if a process may mount the package over /usr in its own namespace, as the tests do. */
function runsUnpacked(unpacked) {
  const mapping = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const mount = 'mount -t overlay none -o lowerdir="$0/usr":/usr /usr'
  return spawnSync('unshare', [...mapping, '--mount', 'sh', '-c', mount, unpacked]).status === 0
}

/** Folder of unpacked packages, accessible to the unprivileged users of mail servers. */
export function unpackedFolder() {
  const cache = process.getuid?.() === 0 ? '/var/cache' : join(homedir(), '.cache')
  const release = existsSync(DEBIAN) ? readFileSync(DEBIAN, 'utf8').trim().replaceAll('/', '-') : 'none'
  return process.env.EMMA_DEBIAN ?? join(cache, 'emma-programs', release)
}

/** True if the package, with its missing dependencies, is in a folder of its name. */
function unpackPackage(name, folder) {
  if (!existsSync(DEBIAN) || !findOnPath('apt-get')) return false
  console.log(`Fetching ${name}.`)
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(folder, '.fetch-'))
  try {
    const archives = join(work, 'archives')
    mkdirSync(join(archives, 'partial'), { recursive: true })
    const flags = ['--yes', '--download-only', '--no-install-recommends', '-o', 'Debug::NoLocking=1']
    const fetch = () => aptGet(...flags, '-o', `Dir::Cache::Archives=${archives}/`, 'install', name)
    // Only root may update the package lists.
    if (!fetch() && !(renewLists() && fetch())) return false
    const files = readdirSync(archives).filter(file => file.endsWith('.deb'))
    const unpack = file => spawnSync('dpkg', ['-x', join(archives, file), join(work, name)]).status === 0
    if (!files.every(unpack)) return false
    renameSync(join(work, name), join(folder, name))
    return true
  } catch {
    // Of two concurrent runs the first one has unpacked it.
    return existsSync(join(folder, name))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

let areRenewed = null

function renewLists() {
  areRenewed ??= aptGet('update')
  return areRenewed
}

/** Times out soon without network. */
function aptGet(...args) {
  const timeoutOptions = ['-o', 'Acquire::http::Timeout=10', '-o', 'Acquire::Retries=0']
  return spawnSync('apt-get', ['-qq', ...timeoutOptions, ...args], { timeout: 120_000 }).status === 0
}

const DEBIAN = '/etc/debian_version'

/**
 * True if Debian's package was installed: as root, or with passwordless sudo.
 * @param renewing updates the package lists if it is not found
 */
function installPackage(name, { renewing = true } = {}) {
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
  return install() || (renewing && apt('update') && install())
}

function findOnPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, name))
    .find(path => existsSync(path))
}
