import { TextInput } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { signInOptionsQuery } from '../../../api/shared-queries.ts';
import { dailyAtThree } from '../../../parts/schedules/cron-preset.ts';
import { CronInput } from '../../../parts/schedules/CronInput.tsx';
import { currentPreferences } from '../../../preferences/preferences.ts';
import { schedulesText as texts } from '../../../text/schedules.ts';
import type { ScheduleChoice } from './source-import.ts';

const ownZone = (): string => {
  const { zone } = currentPreferences();
  return zone === '' ? Intl.DateTimeFormat().resolvedOptions().timeZone : zone;
};

interface MailChoiceProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** Whether failures are mailed, which not every server can do. */
const MailChoice = ({ isChecked, onChange }: MailChoiceProps): ReactElement => {
  const { data } = useQuery(signInOptionsQuery(''));
  const isUnavailable = data?.sendsMail === false;
  return (
    <>
      <FormControlLabel
        label={texts.mailOnFailure}
        disabled={isUnavailable}
        control={
          <Checkbox
            size="small"
            checked={isChecked && !isUnavailable}
            onChange={(_event, checked) => onChange(checked)}
            slotProps={{ input: isUnavailable ? { 'aria-describedby': 'no-mail' } : {} }}
          />
        }
      />
      {isUnavailable && (
        <Typography
          id="no-mail"
          variant="caption"
          component="p"
          sx={{ mb: 1, pl: 3.5, color: 'text.secondary' }}
        >
          {texts.noMail}
        </Typography>
      )}
    </>
  );
};

interface WhenChoiceProps {
  schedule: ScheduleChoice | undefined;
  /** The suggested name of the schedule. */
  name: string;
  /** Why the import cannot be repeated, if it cannot. */
  onlyOnce: string | undefined;
  onChange: (schedule: ScheduleChoice | undefined) => void;
}

/** Whether the import runs once or on a schedule. */
export const WhenChoice = ({ schedule, name, onlyOnce, onChange }: WhenChoiceProps): ReactElement => (
  <Box component="section" sx={{ mt: 3 }}>
    <Typography variant="h2" id="when" sx={{ mb: 0.5 }}>
      {texts.runTitle}
    </Typography>
    <RadioGroup
      aria-labelledby="when"
      value={schedule === undefined ? 'once' : 'repeated'}
      onChange={(_event, value) =>
        onChange(
          value === 'once'
            ? undefined
            : { name, choice: dailyAtThree, timeZone: ownZone(), mailOnFailure: false },
        )
      }
    >
      <FormControlLabel value="once" label={texts.once} control={<Radio size="small" sx={{ py: 0.5 }} />} />
      <FormControlLabel
        value="repeated"
        label={texts.repeated}
        disabled={onlyOnce !== undefined && schedule === undefined}
        control={
          <Radio
            size="small"
            sx={{ py: 0.5 }}
            slotProps={{ input: onlyOnce === undefined ? {} : { 'aria-describedby': 'only-once' } }}
          />
        }
      />
      {onlyOnce !== undefined && (
        <Typography id="only-once" variant="caption" component="p" sx={{ pl: 3.5, color: 'text.secondary' }}>
          {onlyOnce}
        </Typography>
      )}
    </RadioGroup>
    {schedule !== undefined && (
      <Box sx={{ mt: 1 }}>
        <Typography variant="caption" component="p" sx={{ mb: 1, color: 'text.secondary' }}>
          {texts.repeatedHint}
        </Typography>
        <TextInput
          label={texts.scheduleName}
          value={schedule.name}
          onChange={(event) => onChange({ ...schedule, name: event.target.value })}
        />
        <CronInput
          choice={schedule.choice}
          timeZone={schedule.timeZone}
          onChange={(choice, timeZone) => onChange({ ...schedule, choice, timeZone })}
        />
        <MailChoice
          isChecked={schedule.mailOnFailure}
          onChange={(mailOnFailure) => onChange({ ...schedule, mailOnFailure })}
        />
      </Box>
    )}
  </Box>
);
