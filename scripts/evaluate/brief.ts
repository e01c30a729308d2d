/** An order for one post, with what the model gets, and a text that keeps every rule. */
export type Brief = {
  name: string
  network: string
  role: string
  /** Instructions of the agent. */
  task: string
  voice?: string
  /** Facts that a member wrote down, as a source. */
  facts?: string
  /** Entry of a feed to write about. */
  entry?: { title: string; text: string; url: string }
  /** Link that the text must have: the address of the entry, or else a link of the brand. */
  link?: string
  /** Hashtags of the brand. The text may use these and no others. */
  hashtags?: readonly string[]
  forbidden?: readonly string[]
  /** Posts that the text must not repeat. */
  recent?: readonly string[]
  text: string
}

export type Language = 'tr' | 'en'
export type LanguageBrief = Brief & { language: Language }
