import { useState } from 'react'
import { CHANNEL_NAMES, type OwnSetting } from '#kit/ports/channels.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Check } from '#web/form/Check.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import type { FormOf } from '#web/form/useFormOf.ts'
import { accountFields } from './fields.ts'
import styles from './paymentSettings.module.css'
import { brokenValues, settingsOf } from './rules.ts'
import { type ChannelStanding, settingsApi } from './settingsApi.tsx'

const LINES = 4

/** All of an account. Secrets begin empty; what is left empty stays. */
export function AccountDialog({ account, onClose }: { account: ChannelStanding; onClose: () => void }) {
  const { channel } = account
  const [removed, setRemoved] = useState<readonly string[]>([])
  const declared = Object.entries(settingsOf(channel))
  const secrets = new Set(account.values.filter(({ value }) => value === null).map(({ name }) => name))
  const kept = new Set([...secrets].filter(name => !removed.includes(name)))
  const known = Object.fromEntries(
    declared.map(([name, { words }]) => [
      name,
      account.values.find(value => value.name === name)?.value ?? Object.keys(words ?? {})[0] ?? '',
    ]),
  )
  return (
    <FormDialog
      title={`${CHANNEL_NAMES[channel]}支付设置`}
      submitText="保存"
      width={560}
      of={accountFields(channel)}
      known={known}
      refuse={values => brokenValues(channel, values, kept)}
      send={async values => {
        await settingsApi.save({ channel, values, remove: [...removed] })
        toast.success('已保存，请检测后启用')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {account.enabled && <p className={styles.ownWarning}>修改后将停止收款，重新检测正确后再启用</p>}
          {declared.map(([name, setting]) => (
            <Setting
              key={name}
              form={form}
              name={name}
              setting={setting}
              isSet={secrets.has(name)}
              isRemoved={removed.includes(name)}
              onRemove={remove =>
                setRemoved(remove ? [...removed, name] : removed.filter(other => other !== name))
              }
            />
          ))}
        </>
      )}
    </FormDialog>
  )
}

type SettingProps = {
  form: FormOf<ReturnType<typeof accountFields>>
  name: string
  setting: OwnSetting
  isSet: boolean
  isRemoved: boolean
  onRemove: (remove: boolean) => void
}

function Setting({ form, name, setting, isSet, isRemoved, onRemove }: SettingProps) {
  const { label, kind, required, max, isLong, words, hint } = setting
  const value = form.draft[name] ?? ''
  if (words)
    return (
      <FormFields form={form} only={[name]} told={{ [name]: { required } }}>
        {{
          [name]: control => (
            <Select
              {...control}
              value={value}
              options={Object.entries(words).map(([word, text]) => ({ value: word, label: text }))}
              onChange={word => form.change({ [name]: word ?? '' })}
            />
          ),
        }}
      </FormFields>
    )
  return (
    <div>
      <FormFields
        form={form}
        only={[name]}
        told={{ [name]: { required, hint: isSet ? '已设置，留空则不修改' : hint } }}
      >
        {{
          [name]: control => (
            <TextInput
              {...control}
              maxLength={max}
              secret={kind === 'secret' && !isLong}
              rows={isLong ? LINES : undefined}
              spellCheck={false}
              autoComplete={kind === 'secret' ? 'new-password' : 'off'}
              value={value}
              onChange={text => form.change({ [name]: text })}
            />
          ),
        }}
      </FormFields>
      {isSet && !required && (
        <Check checked={isRemoved} onChange={onRemove}>
          删除已保存的{label}
        </Check>
      )}
    </div>
  )
}
