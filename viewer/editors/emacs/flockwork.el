;;; flockwork.el --- The language server of Flockwork, with eglot  -*- lexical-binding: t -*-

;; For Emacs 29 or later, which has eglot, and for 26.3 or later with the package eglot.
;; Add this to your init file.

(define-derived-mode ron-mode prog-mode "RON"
  "Scenarios of Flockwork."
  (setq-local comment-start "// "))
(define-derived-mode rhai-mode prog-mode "Rhai"
  "Scripts of Flockwork."
  (setq-local comment-start "// "))
(dolist (mode '(ron-mode rhai-mode))
  (let ((table (symbol-value (derived-mode-syntax-table-name mode))))
    ;; Strings, brackets and comments.
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)))
(modify-syntax-entry ?` "\"" rhai-mode-syntax-table)

(add-to-list 'auto-mode-alist '("\\.ron\\'" . ron-mode))
(add-to-list 'auto-mode-alist '("\\.rhai\\'" . rhai-mode))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((ron-mode rhai-mode) . ("flockwork" "lsp"))))

;; Starts the server, and formats files when they are saved. Remove the second line if you do not want that.
(defun flockwork-start ()
  (eglot-ensure)
  (add-hook 'before-save-hook #'flockwork-format nil t))
(defun flockwork-format ()
  (when (eglot-managed-p) (eglot-format-buffer)))
(add-hook 'ron-mode-hook #'flockwork-start)
(add-hook 'rhai-mode-hook #'flockwork-start)

(provide 'flockwork)
;;; flockwork.el ends here
