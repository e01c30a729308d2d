import { useLocalStorage } from '@mantine/hooks'

/** Whether shortcuts without Ctrl or ⌘ are on in this browser. Dictation and stray keys trigger them. */
export const useSingleKeyShortcuts = () =>
  useLocalStorage({ key: 'meydan.letter_keys', defaultValue: true, getInitialValueInEffect: false })
