import { EmmaError } from '@emma/contract/errors.ts'

const MOST_ATTEMPTS = 10

/**
 * Runs a write that compiles content first, outside a transaction, and then saves it; runs it again if the record was
 * changed in between (`faulty_revision`). A caller that named a revision gets the error.
 */
export async function repeatIfChanged<T>(revision: number | null, write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await write()
    } catch (error) {
      const isChanged = error instanceof EmmaError && error.code === 'faulty_revision'
      if (!isChanged || revision !== null || attempt === MOST_ATTEMPTS) throw error
    }
}
