import { createSpotlight } from '@mantine/spotlight'

/** Opens and closes the command palette from anywhere; apart from it, since the palette itself comes later. */
export const [paletteStore, palette] = createSpotlight()
