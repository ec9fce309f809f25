import { Field, FormGrid } from '#web/form/Field.tsx'
import { Select } from '#web/form/Select.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { CAMPAIGN_LIMITS, type CampaignTemplate, writtenVariables } from './rules.ts'
import type { CampaignForm } from './useCampaignDraft.tsx'

export type NamedTemplate = CampaignTemplate & { name: string }

type Props = { form: CampaignForm; templates: readonly NamedTemplate[]; template: NamedTemplate | undefined }

/** The text: one of the approved templates, and what is written into it. */
export function TemplateFields({ form, templates, template }: Props) {
  const { templateKey, params } = form.draft
  return (
    <FormGrid>
      <Field label="短信模板" name="templateKey" form={form} required>
        {control => (
          <Select
            {...control}
            value={templateKey || undefined}
            options={templates.map(({ key, name }) => ({ value: key, label: name }))}
            onChange={chosen => form.change({ templateKey: chosen ?? '' })}
            placeholder="请选择"
          />
        )}
      </Field>
      {template &&
        writtenVariables(template).map(({ name, label }) => (
          <Field key={name} label={label} name={`params.${name}`} form={form} required>
            {control => (
              <TextInput
                {...control}
                value={params[name] ?? ''}
                maxLength={CAMPAIGN_LIMITS.param}
                count={CAMPAIGN_LIMITS.param}
                onChange={text => form.change({ params: { ...params, [name]: text } })}
              />
            )}
          </Field>
        ))}
    </FormGrid>
  )
}
