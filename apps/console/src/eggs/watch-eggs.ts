import { createWordCursors } from './create-word-cursors.ts'
import { eggWords } from './egg-words.ts'

/**
 * Listens for the secret words on every page, for everybody (R322, T24). Passwords are nobody's business. What a word
 * sets off is fetched with the first one that is typed (R324).
 */
export function watchEggs(): void {
  const press = createWordCursors(eggWords)
  addEventListener(
    'keydown',
    event => {
      // What a password manager fills in comes as a plain event, without a key.
      if (!(event instanceof KeyboardEvent) || isPassword(event.target)) return
      for (const egg of press(event.key)) void hatch(egg)
    },
    // Before any field or menu keeps a key to itself.
    { capture: true },
  )
}

function isPassword(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === 'password'
}

async function hatch(egg: keyof typeof eggWords): Promise<void> {
  const { hatchEgg } = await import('./hatch-egg.ts')
  await hatchEgg(egg)
}
