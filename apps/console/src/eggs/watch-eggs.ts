import { createWordCursors } from './create-word-cursors.ts'
import { eggWords } from './egg-words.ts'

/**
 * Listens for the secret words on every page, for all users (R322, T24), but not in password fields. The code of the
 * effects is loaded when the first word is typed (R324).
 */
export function watchEggs(): void {
  const press = createWordCursors(eggWords)
  addEventListener(
    'keydown',
    event => {
      // Autofill of password managers dispatches plain events without a key.
      if (!(event instanceof KeyboardEvent) || isPassword(event.target)) return
      for (const egg of press(event.key)) void hatch(egg)
    },
    // Runs before fields and menus that stop propagation.
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
