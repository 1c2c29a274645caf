import { parentPort } from 'node:worker_threads'

/** A thread for tests: echoes texts, throws on `throw`, dies on `die`, and never ends on `loop`. */
parentPort?.on('message', (text: string) => {
  if (text === 'die') throw new Error('died')
  while (text === 'loop');
  parentPort?.postMessage(text === 'throw' ? { error: 'thrown' } : { result: `${text}!` })
})
