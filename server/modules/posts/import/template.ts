import type { Static } from 'typebox'
import { DAY } from '../../../../shared/time.ts'
import { csvTable } from '../../../lib/csv.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { Language } from '../../../lib/language.ts'
import { templateColumns } from './file/columns.ts'
import type { TemplateQuery } from './imports.schema.ts'

type Column = (typeof templateColumns)[number]
type Sample = Partial<Record<Column, string>>

const columnNames: Record<Language, Record<Column, string>> = {
  en: {
    ...{ date: 'date', time: 'time', timezone: 'timezone', accounts: 'accounts', text: 'text', media: 'media' },
    ...{ alt: 'alt', first_comment: 'first_comment', labels: 'labels', status: 'status' },
  },
  tr: {
    ...{ date: 'Tarih', time: 'Saat', timezone: 'Saat dilimi', accounts: 'Hesaplar', text: 'Metin', media: 'Görsel' },
    ...{ alt: 'Alternatif metin', first_comment: 'İlk yorum', labels: 'Etiketler', status: 'Durum' },
  },
}

const samples: Record<Language, Sample[]> = {
  en: [
    { time: '09:00', text: 'Fresh simit from seven in the morning.', labels: 'breakfast' },
    {
      ...{ time: '12:30', text: 'Today with lentil soup: “like at home”, our guests say.', labels: 'lunch, menu' },
    },
    { text: 'An idea without a time stays a draft.', status: 'draft' },
  ],
  tr: [
    { time: '09:00', text: 'Sabah yediden itibaren taze simit, ince belli bardakta çay.', labels: 'kahvaltı' },
    { time: '12:30', text: 'Bugün mercimek çorbası var; misafirlerimiz “ev gibi” diyor.', labels: 'öğle, menü' },
    { text: 'Saati olmayan bir fikir taslak olarak kalır.', status: 'taslak' },
  ],
}

/** The template in a language, with samples for the next days and the first account of the workspace. */
export async function templateOf(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { workspace_id }: Member,
  { language = 'en', separator }: Static<typeof TemplateQuery>,
) {
  const account = await db
    .selectFrom('account')
    .select('handle')
    .where('workspace_id', '=', workspace_id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const names = columnNames[language]
  const table = csvTable<Sample>(
    Object.fromEntries(templateColumns.map((column) => [names[column], (row: Sample) => row[column]])),
  )(separator)
  const rows = samples[language].map((sample, index): Sample => {
    const day = new Date(clock.now().getTime() + (index + 7) * DAY).toISOString().slice(0, 10)
    return { accounts: account?.handle ?? '', ...(sample.time && { date: day }), ...sample }
  })
  return table.header + table.lines(rows)
}
