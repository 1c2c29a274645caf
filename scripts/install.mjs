// Plain JavaScript without dependencies, for the oldest Node that may run this (18): it runs before `npm ci`.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const NODE_NEEDED = 24

/** Ensures that everything in package-lock.json is in node_modules; fast if it is. */
export function installDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules', '.emma-installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing what EMMA needs; this takes a minute the first time.')
  // dev: for the Node that runs it and the console's build tool. optional: for the database's programs.
  const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  if (npm(['ci', ...flags]) !== 0)
    // Never "npm install", which may install other versions than the lock file.
    fail(
      isWritable(root)
        ? 'The packages could not be installed. npm says why above; often it is the network or a proxy. Fix it and run ' +
            'this again.'
        : `The folder ${root} cannot be written to by this user, and EMMA installs what it needs there. Run this as the ` +
            'user it belongs to, or clone EMMA into a folder of your own.',
    )
  writeFileSync(stamp, wanted)
}

/** Returns the Node that runs the program: the one from the packages, or this one if it is new enough. */
export function modernNode() {
  const installed = join(
    root,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  if (spawnSync(installed, ['--version']).status === 0) return installed
  if (Number.parseInt(process.versions.node) >= NODE_NEEDED) return process.execPath
  return fail(
    `EMMA needs Node ${NODE_NEEDED} or newer; this is ${process.versions.node}, and the one in node_modules does not ` +
      `run on this machine. Install Node ${NODE_NEEDED} from https://nodejs.org and try again.`,
  )
}

const BUILDS = {
  console: {
    result: 'apps/console/dist/index.html',
    sources: [
      'package-lock.json',
      'apps/console/index.html',
      'apps/console/vite.config.ts',
      'apps/console/public',
      'apps/console/src',
      'packages/ui/src',
      'packages/client/src',
      'packages/contract/src',
    ],
  },
  server: {
    result: 'apps/server/dist/emma.js',
    sources: [
      'package-lock.json',
      'apps/server/vite.config.ts',
      'apps/server/src',
      ...['contract', 'core', 'db', 'delivery', 'mail', 'testbed'].map(name => `packages/${name}/src`),
    ],
  },
}

/** Builds the console or the server if it is missing or older than its sources. */
export function build(node, name) {
  const { result, sources } = BUILDS[name]
  const built = newestChange(join(root, result))
  if (built > 0 && sources.every(path => newestChange(join(root, path)) <= built)) return
  console.log(`Building the ${name}.`)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'apps', name),
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) fail(`The ${name} could not be built; the reason is above.`)
}

/** Prints the reason and exits. */
export function fail(words) {
  console.error(words)
  process.exit(1)
}

function npm(args) {
  // The npm that runs this script, which may differ from the one on the PATH.
  const own = process.env.npm_execpath
  const [command, first] = own && /npm-cli\.c?js$/.test(own) ? [process.execPath, [own]] : ['npm', []]
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (error) console.error(String(error))
  return status
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function newestChange(path) {
  if (!existsSync(path)) return 0
  const info = statSync(path)
  if (!info.isDirectory()) return info.mtimeMs
  return Math.max(0, ...readdirSync(path).map(name => newestChange(join(path, name))))
}
