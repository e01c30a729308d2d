import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readRuleText } from '../../../../shared/recurrence/read'
import { writeRuleText } from '../../../../shared/recurrence/write'
import { currentLanguage } from '../../../i18n'
import { today } from '../../../ui/text/time-zone'
import { type RecurringFormState, ruleOf, startOf, withText } from './form-values'
import { asSentence } from './Repetition'

/** The repetition in words: what is written fills the fields below, and what they say is shown. */
export function RuleTextField({ form }: Pick<RecurringFormState, 'form'>) {
  const { t } = useTranslation()
  const language = currentLanguage()
  const [text, setText] = useState('')
  // An error while somebody is still writing would only disturb.
  const [settled] = useDebouncedValue(text, 700)
  const read = (words: string) => readRuleText(words, language, today(form.values.timezone))
  const change = (words: string) => {
    setText(words)
    const found = read(words)
    if ('rule' in found) form.setValues(withText(form.values, found))
  }
  const found = settled === text && text.trim() !== '' ? read(text) : undefined
  const problem = found && !('rule' in found) ? found : undefined
  const said = writeRuleText({ rule: ruleOf(form.values), starts_at: startOf(form.values) }, language)
  return (
    <div>
      <TextInput
        label={t('recurring.rule_text.label')}
        description={t('recurring.rule_text.about')}
        placeholder={t('recurring.rule_text.example')}
        autoComplete="off"
        maxLength={200}
        value={text}
        error={problem && t(`recurring.rule_text.problems.${problem.code}`, { part: problem.part })}
        onChange={(event) => change(event.currentTarget.value)}
        // Enter ends the sentence. It would submit the form, of which this is only a part.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {problem && problem.suggestions.length > 0 && (
        <Group gap="xs" mt={6} role="group" aria-label={t('recurring.rule_text.suggestions')}>
          {problem.suggestions.map((suggestion) => (
            <Button
              key={suggestion}
              variant="default"
              size="compact-sm"
              onClick={() =>
                change(problem.part ? text.replace(problem.part, suggestion) : `${text.trim()} ${suggestion}`.trim())
              }
            >
              {suggestion}
            </Button>
          ))}
        </Group>
      )}
      {said && !problem && (
        <Text fz="sm" mt={6} aria-live="polite">
          {asSentence(said, language)}
        </Text>
      )}
    </div>
  )
}
