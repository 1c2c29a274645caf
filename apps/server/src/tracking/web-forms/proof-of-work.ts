import { type Challenge, createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/sha'
import { z } from 'zod'

/** Minutes in which a challenge can be solved. */
const EXPIRES_MINUTES = 120

/** The script of the form computes the same: SHA-256 of salt, nonce and counter, which begins with the prefix. */
const work = { algorithm: 'SHA-256', cost: 1, keyPrefix: '000' } as const

const solved = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      algorithm: z.literal(work.algorithm),
      cost: z.literal(work.cost),
      keyPrefix: z.literal(work.keyPrefix),
      nonce: z.string().max(64),
      salt: z.string().max(64),
      keyLength: z.number().max(64),
      expiresAt: z.number(),
    }),
    signature: z.string().max(200),
  }),
  solution: z.object({ counter: z.int().nonnegative(), derivedKey: z.string().max(128) }),
})

/** Creates a challenge (Altcha) that takes a browser about 4,000 hashes. */
export function createWork(secret: string): Promise<Challenge> {
  const expiresAt = Math.floor(Date.now() / 1000) + EXPIRES_MINUTES * 60
  return createChallenge({ ...work, deriveKey, expiresAt, hmacSignatureSecret: secret })
}

/** Verifies a solution, base64 of JSON. @returns the name of the challenge, which may be used once; null if it is wrong */
export async function verifyWork(secret: string, payload: string): Promise<string | null> {
  if (payload === '' || payload.length > 4000) return null
  const parsed = solved.safeParse(parseJson(Buffer.from(payload, 'base64').toString()))
  if (!parsed.success) return null
  const { challenge, solution } = parsed.data
  const { verified } = await verifySolution({
    challenge: challenge as Challenge,
    solution: { ...solution, time: 0 },
    deriveKey,
    hmacSignatureSecret: secret,
  })
  return verified ? challenge.signature : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
