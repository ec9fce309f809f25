import { brokenOf } from '#kit/declare/form.ts'
import { Button } from '#web/controls/Button.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { FormOf } from '#web/form/useFormOf.ts'
import { EXTENSION } from './fields.ts'
import { extendedExpiry } from './rules.ts'
import type { Shop } from './ToolPage.tsx'
import styles from './tools.module.css'

const OFFERED_DAYS = [7, 15, 30, 90]

/** Until when the shop's term runs after so many days more; null where these cannot be added. */
export function expiryAfter({ expiresAt }: Shop, days: number, now: string): string | null {
  return expiresAt === null || brokenOf(EXTENSION, { days }).length > 0
    ? null
    : extendedExpiry(expiresAt, days, now)
}

/** For how many days: typed, or one of those that are usual. */
export function DaysField({ form }: { form: FormOf<typeof EXTENSION> }) {
  const { days } = form.meant()
  return (
    <div className={styles.toolField}>
      <FormFields form={form} only={['days']}>
        {{
          days: control => (
            <div className={styles.toolDays}>
              <TextInput
                {...control}
                inputMode="numeric"
                placeholder={EXTENSION.days.control.placeholder}
                value={form.draft.days}
                onChange={text => form.change({ days: text })}
              />
              {OFFERED_DAYS.map(offered => (
                <Button
                  key={offered}
                  aria-pressed={days === offered}
                  onClick={() => form.change({ days: String(offered) })}
                >
                  {offered} 天
                </Button>
              ))}
            </div>
          ),
        }}
      </FormFields>
    </div>
  )
}
