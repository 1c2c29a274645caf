import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/** Preloaded into a role's process: answers `held bytes` with the memory after garbage collection. */
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

if (isMainThread)
  process.on('message', message => {
    if (message !== 'held bytes') return
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    process.send?.({ type: 'held bytes', bytes: heapUsed + external })
  })
