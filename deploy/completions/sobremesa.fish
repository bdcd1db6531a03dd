# Fish completion for sobremesa, which is asked itself: `sobremesa complete`.

function __sobremesa
    set -l words (commandline -opc)
    set -l begun (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] $begun 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path $begun
        else
            echo $line
        end
    end
end
complete -c sobremesa -f -a '(__sobremesa)'
