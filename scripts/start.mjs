// `npm start`: installs, builds and starts EMMA. Arguments are passed to `emma start`: npm start -- --roles
// api,engine
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { build, fail, installDependencies, modernNode, root } from './install.mjs'

installDependencies()
const node = modernNode()
build(node, 'console')
build(node, 'server')

const program = spawn(node, [join(root, 'apps/server/dist/emma.js'), 'start', ...process.argv.slice(2)], {
  // The IPC channel tells the program that this parent process died.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
program.on('error', error => fail(`EMMA could not be started: ${error.message}`))
program.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code))

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => program.kill(name))

// A killed npm does not end its children: without this, EMMA would continue in the background.
if (process.env.npm_lifecycle_event) {
  const before = ancestors()
  const watch = setInterval(() => {
    if (ancestors() === before) return
    clearInterval(watch)
    program.kill('SIGTERM')
  }, 500)
}

/** The parent and its parent, if the system provides them: npm runs scripts in a shell. */
function ancestors() {
  try {
    const parent = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return `${process.ppid} ${parent.slice(parent.lastIndexOf(')')).split(' ')[2]}`
  } catch {
    return String(process.ppid)
  }
}
