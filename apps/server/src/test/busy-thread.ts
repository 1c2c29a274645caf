import { parentPort } from 'node:worker_threads'

/** A worker thread for tests: echoes texts, throws on `throw`, exits on `die`, never returns on `loop`, or on `wait`. */
parentPort?.on('message', (text: string) => {
  if (text === 'die') throw new Error('died')
  while (text === 'loop');
  if (text === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  parentPort?.postMessage(text === 'throw' ? { error: 'thrown' } : { result: `${text}!` })
})
