import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/** Loaded into a role's process before the role: answers `held bytes` with the memory that it cannot give back. */
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

if (isMainThread)
  process.on('message', message => {
    if (message !== 'held bytes') return
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    process.send?.({ type: 'held bytes', bytes: heapUsed + external })
  })
