import { parentPort } from 'node:worker_threads'

/** A worker thread for tests: echoes texts, throws on `throw`, exits on `die`, and never returns on `loop`. */
parentPort?.on('message', (text: string) => {
  if (text === 'die') throw new Error('died')
  while (text === 'loop');
  parentPort?.postMessage(text === 'throw' ? { error: 'thrown' } : { result: `${text}!` })
})
