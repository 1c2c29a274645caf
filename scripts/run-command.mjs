import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { modernNode, root } from './install.mjs'

const bin = join(root, 'node_modules/.bin')
const node = modernNode()

/** Environment of commands: programs of node_modules first, no colours, since output is also logged. */
export function commandEnvironment() {
  const environment = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), NO_COLOR: '1' }
  delete environment.FORCE_COLOR
  return environment
}

/**
 * Runs a program of node_modules, or `node`, with its output captured; Ctrl-C also ends it.
 * @param showLine called with each line of its standard output as it arrives
 * @returns its exit status (null if ended by a signal), its output, and its duration in seconds
 */
export function runCommand(command, args, environment, showLine) {
  const started = Date.now()
  return new Promise(settle => {
    const program = spawn(command === 'node' ? node : join(bin, command), args, {
      cwd: root,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [program.stdout, program.stderr])
      stream.setEncoding('utf8').on('data', text => {
        output += text
      })
    if (showLine) createInterface(program.stdout).on('line', showLine)
    program.on('error', error => settle({ status: 1, output: `${output}\n${error.message}`, seconds: 0 }))
    program.on('close', status => settle({ status, output, seconds: (Date.now() - started) / 1000 }))
  })
}
