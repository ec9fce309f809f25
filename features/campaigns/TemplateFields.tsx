import { Input, Select } from 'antd'
import { FormField, FormGrid } from '#features/merchants/FormField.tsx'
import { CAMPAIGN_LIMITS, type CampaignTemplate, writtenVariables } from './rules.ts'
import type { CampaignForm } from './useCampaignDraft.tsx'

export type NamedTemplate = CampaignTemplate & { name: string }

type Props = { form: CampaignForm; templates: readonly NamedTemplate[]; template: NamedTemplate | undefined }

/** The text: one of the approved templates, and what is written into it. */
export function TemplateFields({ form, templates, template }: Props) {
  const { templateKey, params } = form.draft
  return (
    <FormGrid>
      <FormField label="短信模板" name="templateKey" form={form} required>
        {control => (
          <Select
            {...control}
            value={templateKey || undefined}
            options={templates.map(({ key, name }) => ({ value: key, label: name }))}
            onChange={chosen => form.change({ templateKey: chosen })}
            placeholder="请选择"
          />
        )}
      </FormField>
      {template &&
        writtenVariables(template).map(({ name, label }) => (
          <FormField key={name} label={label} name={`params.${name}`} form={form} required>
            {control => (
              <Input
                {...control}
                value={params[name] ?? ''}
                maxLength={CAMPAIGN_LIMITS.param}
                showCount
                autoComplete="off"
                onChange={event => form.change({ params: { ...params, [name]: event.target.value } })}
              />
            )}
          </FormField>
        ))}
    </FormGrid>
  )
}
