import { type CalendarSearch, validateCalendarSearch } from '../search-params'

const keyOf = (workspace: string) => `calendar:${workspace}`

type Choices = Pick<CalendarSearch, 'view' | 'account' | 'group' | 'label' | 'color'>

const choicesOf = ({ view, account, group, label, color }: CalendarSearch): Choices => ({
  ...(view && { view }),
  ...(account && { account }),
  ...(group && { group }),
  ...(label && { label }),
  ...(color && { color }),
})

/** The view and the filters that this browser showed last of the workspace's calendar. Undefined if they are the usual ones. */
export function rememberedChoices(workspace: string): Choices | undefined {
  try {
    const choices = choicesOf(validateCalendarSearch(JSON.parse(localStorage.getItem(keyOf(workspace)) ?? '{}')))
    return Object.keys(choices).length > 0 ? choices : undefined
  } catch {
    return undefined
  }
}

export function rememberChoices(workspace: string, search: CalendarSearch) {
  try {
    localStorage.setItem(keyOf(workspace), JSON.stringify(choicesOf(search)))
  } catch {
    // The browser stores nothing: the next visit begins with the month.
  }
}
