import type { Draft } from './draft.ts'

/** A whole draft, whose parts default to those of one about bread. */
export const draft = (more: Partial<Draft> = {}): Draft => ({
  topic: 'Bread',
  content: 'Fresh bread every morning.',
  variants: [],
  language: 'en',
  image_prompt: null,
  image_alt: null,
  source_ids: [],
  claims: [],
  skip_reason: null,
  ...more,
})
