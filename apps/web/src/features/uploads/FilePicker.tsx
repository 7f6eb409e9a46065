import { formatBytes } from '@redoubt/ui';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { FileUp, X } from '@redoubt/ui/icons';
import { useRef, useState, type DragEvent, type ReactElement } from 'react';
import { uploadsText as texts } from '../../text/uploads.ts';

interface FilePickerProps {
  files: readonly File[];
  shown: File | undefined;
  onAdd: (files: readonly File[]) => void;
  onRemove: (file: File) => void;
  onShow: (file: File) => void;
}

/** The files to upload, which people drop or choose. The previewed file is highlighted. */
export const FilePicker = ({ files, shown, onAdd, onRemove, onShow }: FilePickerProps): ReactElement => {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    onAdd([...event.dataTransfer.files]);
  };
  return (
    <Box sx={{ mb: 2 }}>
      <Box
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          gap: 1,
          p: 1,
          ...(files.length === 0 && {
            minHeight: 'min(480px, 50vh)',
            flexDirection: 'column',
            justifyContent: 'center',
          }),
          border: '1px dashed',
          borderColor: isOver ? 'primary.main' : 'text.tertiary',
          borderRadius: 1,
          backgroundColor: isOver ? 'background.selected' : 'background.paper',
        }}
      >
        <FileUp size={16} strokeWidth={1.5} aria-hidden />
        <Typography
          sx={{ color: 'text.secondary', ...(files.length === 0 ? { textAlign: 'center' } : { flex: 1 }) }}
        >
          {files.length === 0 ? texts.dropFiles : texts.dropMoreFiles}
        </Typography>
        <Button onClick={() => input.current?.click()}>{texts.chooseFiles}</Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label={texts.files}
          onChange={(event) => {
            onAdd([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </Box>
      {files.length === 0 && (
        <Typography variant="caption" component="p" sx={{ mt: 1, color: 'text.secondary' }}>
          {texts.formats}
        </Typography>
      )}
      <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0, mt: files.length > 0 ? 1 : 0 }}>
        {files.map((file, index) => (
          <Box
            component="li"
            key={`${file.name}-${String(index)}`}
            sx={{
              display: 'flex',
              alignItems: 'center',
              borderRadius: 1,
              backgroundColor: file === shown ? 'background.selected' : undefined,
            }}
          >
            <Button
              variant="text"
              aria-pressed={file === shown}
              onClick={() => onShow(file)}
              sx={{
                flex: 1,
                minWidth: 0,
                justifyContent: 'flex-start',
                fontWeight: file === shown ? 500 : 400,
              }}
            >
              <Box
                component="span"
                sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
              >
                <bdi>{file.name}</bdi>
              </Box>
            </Button>
            <Typography variant="caption" sx={{ color: 'text.secondary', px: 1, whiteSpace: 'nowrap' }}>
              {formatBytes(file.size)}
            </Typography>
            <IconButton aria-label={texts.remove(file.name)} onClick={() => onRemove(file)}>
              <X size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
          </Box>
        ))}
      </Box>
    </Box>
  );
};
