// `npm run dev`: the server, restarted when its sources change, and the console with hot reload. Arguments are passed
// to `emma start`. Uses the data of `npm start`, with its first account and demo content.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { build, installDependencies, modernNode, root } from './install.mjs'

const WATCHED = [
  'apps/server/src',
  ...['contract', 'core', 'db', 'delivery', 'mail', 'testbed'].map(name => `packages/${name}`),
]
/** Editors write several files at once. */
const SETTLE_MS = 300

installDependencies()
const node = modernNode()
// The server reads its texts from a build of the console.
build(node, 'console')

const port = process.env.PORT ?? '8080'
const vite = spawn(node, [join(root, 'node_modules/vite/bin/vite.js'), 'apps/console'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'development', EMMA_API: `http://127.0.0.1:${port}` },
})
let server = startServer()
let isEnding = false
let timer

for (const folder of WATCHED)
  watch(join(root, folder), { recursive: true }, (_, file) => {
    if (!file || !/\.(ts|sql)$/.test(file) || file.endsWith('.test.ts')) return
    clearTimeout(timer)
    timer = setTimeout(() => void restart(file), SETTLE_MS)
  })

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(name, async () => {
    isEnding = true
    vite.kill('SIGTERM')
    await end(server)
    process.exit(0)
  })
console.log(`The console with hot reload: http://localhost:5173 (the server: http://localhost:${port})`)

function startServer() {
  return spawn(node, [join(root, 'apps/server/src/cli/emma.ts'), 'start', ...process.argv.slice(2)], {
    cwd: root,
    // The IPC channel tells the server that this parent process died.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
}

async function restart(file) {
  if (isEnding) return
  console.log(`${file} changed: the server starts again`)
  await end(server)
  if (!isEnding) server = startServer()
}

async function end(program) {
  if (program.exitCode !== null || program.signalCode !== null) return
  program.kill('SIGTERM')
  await once(program, 'exit')
}
