import { expect, test } from 'vitest'
import { OwnAttachmentsReader } from './own-attachments.ts'

const MB = 1_000_000

function reader(sizes: Readonly<Record<number, number>>) {
  const read: number[] = []
  const attachments = new OwnAttachmentsReader({
    sizeOf: async (_, mailId) => sizes[mailId] ?? 0,
    async read(_, mailId) {
      read.push(mailId)
      if (mailId === 13) throw new Error('The database is gone')
      return []
    },
  })
  return { read, take: (memberId: number) => attachments.read(1, { memberId }, true) }
}

const settled = () => new Promise(setImmediate)

test('emails whose files do not fit wait until others are sent', async () => {
  const { read, take } = reader({ 1: 20 * MB, 2: 10 * MB, 3: 5 * MB })
  const first = await take(1)
  await take(2)
  const third = take(3)
  await settled()
  expect(read).toEqual([1, 2])
  first.release()
  await third
  expect(read).toEqual([1, 2, 3])
})

test('a single email that is larger than the room is sent alone', async () => {
  const { read, take } = reader({ 1: 1, 2: 50 * MB })
  const first = await take(1)
  const second = take(2)
  await settled()
  expect(read).toEqual([1])
  first.release()
  await second
  expect(read).toEqual([1, 2])
})

test('files that cannot be read take no room', async () => {
  const { take } = reader({ 13: 30 * MB, 1: 30 * MB })
  await expect(take(13)).rejects.toThrow('The database is gone')
  await expect(take(1)).resolves.toMatchObject({ files: [] })
})
